// Options of the library by their names and words, as keyword arguments bring them.
#pragma once

#include <string>
#include <utility>

#include "askrff/map.hpp"
#include "askrff/words.hpp"
#include "bindings.hpp"

namespace askrff::python {

/// Takes options one by one; what is left over at the end nobody knows.
class OptionReader {
 public:
  OptionReader(const char* who, const nb::kwargs& options) : who_(who) { rest_.update(options); }

  /// The field stays as it is where there is no such option. Throws TypeError for a value of another type, std::invalid_argument for a
  /// word that is none of its enum's.
  template <class T>
  void take(const char* name, T& field) {
    if (!rest_.contains(name)) return;
    const nb::object value = rest_[name];
    nb::del(rest_[name]);
    if constexpr (HasWords<T>) {
      field = value_of<T>(name, cast<std::string>(name, value));
    } else {
      field = cast<T>(name, value);
    }
  }
  /// Throws TypeError if an option is left.
  void finish() const;

 private:
  template <class T>
  T cast(const char* name, const nb::object& value) const {
    T result;
    if (!nb::try_cast(value, result)) refuse(name, value);
    return result;
  }
  [[noreturn]] void refuse(const char* name, const nb::object& value) const;

  std::string who_;
  nb::dict rest_;
};

/// Those of MapOptions that Python has.
void take_map_options(OptionReader& reader, MapOptions& options);
/// The same as a dictionary: what is taken where nothing is said.
nb::dict describe(const MapOptions& options);

/// Who hears of every map that is tried: listener(dict), unless it is None. The listener must outlive the call.
std::function<void(const Candidate&)> candidate_listener(const nb::object& listener);
/// Has listener(part) hear how much of a stage is done, 0 … 1, where that is known; unless it is None. It must outlive the call.
void listen(Execution& execution, const nb::object& listener);

/// {"estimator": (…), …}: the words options may have.
nb::dict all_words();

}  // namespace askrff::python
