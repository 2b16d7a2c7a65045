// The section of figure 3.
#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/report/text.hpp"
#include "experiments/report/numbers.hpp"
#include "experiments/report/page_parts.hpp"

namespace askrff::experiments {
namespace {

constexpr SectionText text{
    "fig3", "Figure 3: accuracy and sampling time",
    "The paper trains a linear classifier (LIBLINEAR, its constant C by 5-fold cross-validation over 2⁻⁵ … 2⁵) on the features Φ and plots "
    "test accuracy and sampling time over 10 trials against log₂(M/d), with the accuracy of a linear classifier on the columns themselves "
    "as dashed lines.",
    "There are no published numbers to set beside ours: the figure is a picture that is not part of the paper's source. The text says that "
    "accuracy is “generally higher until saturation” with more features, that it exceeds the linear classifier's when M ≥ d, and that time "
    "grows with M but stays far below that of the kernel matrix and the dual problem."};

constexpr Concern concerns[] = {
    {1, "The masses are fitted with the corrected sign. As printed the imaginary part would vanish from Φ."},
    {2, "Sizes and dimensions of ijcnn1 and letter are those of the data, not those printed under their names."},
    {4,
     "Our times are those of an exact sampler. The sampler of the paper's description does not end in these dimensions, so its times "
     "cannot be of that."},
    {5,
     "Φ is used without the imaginary unit and without the columns that repeat others. Its inner products are symmetric: the classifier "
     "never sees the asymmetry of the kernel."}};

enum class Shown { accuracy, seconds };

/// M is a whole number, so log₂(M/d) is one only nearly, and a little different for every d: what was meant is the next one.
double position(const AccuracyPoint& point) { return std::round(point.log2_multiple); }

std::set<double> positions(const Figure3& figure) {
  std::set<double> all;
  for (const AccuracyPoint& p : figure.points)
    if (std::isfinite(p.log2_multiple)) all.insert(position(p));
  return all;
}

std::vector<Html> cells_of(const Figure3& figure, const std::string& dataset, const std::string& kernel, Shown shown) {
  std::vector<Html> cells{escaped(kernel)};
  for (const double x : positions(figure)) {
    const auto found = std::ranges::find_if(
        figure.points, [&](const AccuracyPoint& p) { return p.dataset == dataset && p.kernel == kernel && position(p) == x; });
    const bool there = found != figure.points.end();
    cells.push_back(escaped(!there                     ? no_number
                            : shown == Shown::accuracy ? fixed(found->accuracy.mean, 2)
                                                       : duration(found->sampling_seconds.mean)));
  }
  return cells;
}

/// The linear classifier knows no M: the same number everywhere would only be noise, so it stands in the line that names the data set.
std::string group_title(const Figure3& figure, const std::string& dataset, Shown shown) {
  const auto found = std::ranges::find(figure.linear, dataset, &LinearAccuracy::dataset);
  if (shown != Shown::accuracy || found == figure.linear.end()) return dataset;
  return fmt::format("{} (linear classifier: {})", dataset, fixed(found->accuracy, 2));
}

Html table_of(const Figure3& figure, std::string_view caption, Shown shown) {
  std::vector<std::string> titles;
  for (const double x : positions(figure)) titles.push_back(fixed(x, 0));
  std::vector<HtmlTable::Column> columns{{"log₂(M/d)", false}};
  for (const std::string& title : titles) columns.push_back({title});
  HtmlTable table(caption, columns);
  for (const std::string& dataset : distinct(figure.points, &AccuracyPoint::dataset)) {
    table.group(group_title(figure, dataset, shown));
    for (const std::string& kernel : distinct(figure.points, &AccuracyPoint::kernel)) table.row(cells_of(figure, dataset, kernel, shown));
  }
  return table.done();
}

}  // namespace

Html fig3_section(const std::optional<Figure3>& figure, const std::vector<DrawnPicture>& pictures) {
  if (!figure) return section(text, not_run_yet(text.name) + errata_part(concerns));
  return section(text, figures_part(pictures) + findings_part(figure->findings) +
                           table_of(*figure, "Test accuracy in percent, mean; M is d times the power of two, rounded", Shown::accuracy) +
                           details("Sampling time", table_of(*figure, "Sampling time, mean", Shown::seconds)) +
                           files_part(text.name, figure->seconds) + errata_part(concerns));
}

}  // namespace askrff::experiments
