// Pieces of markup.
#include "experiments/report/page_parts.hpp"

#include <algorithm>
#include <stdexcept>

#include "experiments/report/embedded.hpp"
#include "experiments/report/numbers.hpp"

namespace askrff::experiments {
namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) { return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u; };
    const unsigned word = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? digits[word >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

Html data_uri(const std::string& svg) { return {"data:image/svg+xml;base64," + base64(svg)}; }

/// Below 60rem three panels side by side would have lettering too small to read. An image is a document of its own: names inside one
/// picture cannot clash with those of another.
Html figure_of(const DrawnPicture& drawn) {
  const PictureSize wide = size_of(drawn.picture, Layout::wide), narrow = size_of(drawn.picture, Layout::narrow);
  return html(
      "<figure><picture><source media=\"(max-width: 60rem)\" width=\"{}\" height=\"{}\" srcset=\"{}\">"
      "<img width=\"{}\" height=\"{}\" alt=\"{}\" src=\"{}\"></picture>\n<figcaption>{} "
      "<a href=\"{}.svg\">SVG</a>, <a href=\"{}.png\">PNG</a></figcaption></figure>\n",
      narrow.width, narrow.height, data_uri(drawn.narrow_svg), wide.width, wide.height, drawn.picture.alt, data_uri(drawn.wide_svg),
      drawn.picture.caption, drawn.picture.name, drawn.picture.name);
}

}  // namespace

Html section(const SectionText& text, const Html& body) {
  Html claim;
  if (!text.claim.empty()) claim = html("<p>{}</p>\n", text.claim);
  return html("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n<p>{2}</p>\n{3}{4}</section>\n", text.name, text.title,
              text.paper, claim, body);
}

Html not_run_yet(std::string_view name) {
  return html("<p><strong>Not run yet.</strong> <code>askrff-paper reproduce {}</code> adds it to this page.</p>\n", name);
}

Html figures_part(const std::vector<DrawnPicture>& pictures) {
  Html part;
  for (const DrawnPicture& drawn : pictures) part += figure_of(drawn);
  return part;
}

Html findings_part(const std::vector<std::string>& findings) {
  if (findings.empty()) return {};
  Html items;
  for (const std::string& finding : findings) items += html("<li>{}</li>\n", finding);
  return html("<h3>What the numbers show</h3>\n<ul>\n{}</ul>\n", items);
}

Html errata_part(std::span<const Concern> concerns) {
  Html items;
  for (const Concern& concern : concerns) {
    const auto titles = erratum_titles();
    const auto found = std::ranges::find(titles, concern.number, &ErratumTitle::number);
    if (found == titles.end()) throw std::logic_error(fmt::format("errata_part: docs/errata.md has no number {}", concern.number));
    items += html("<li><strong>{}. {}.</strong> {}</li>\n", concern.number, found->title, concern.consequence);
  }
  return html(
      "<h3>Errata that concern it</h3>\n<p class=\"quiet\">Numbers and details as in <code>docs/errata.md</code>.</p>\n"
      "<ul class=\"errata\">\n{}</ul>\n",
      items);
}

Html files_part(std::string_view name, double seconds) {
  return html(
      "<p class=\"files\">Beside this page: <a href=\"{0}.csv\">{0}.csv</a>, <a href=\"{0}.json\">{0}.json</a>. All trials took {1}.</p>\n",
      name, duration(seconds));
}

Html details(std::string_view summary, const Html& content) {
  return html("<details><summary>{}</summary>\n{}</details>\n", summary, content);
}

Html verdict(bool good, std::string_view yes, std::string_view no) {
  return good ? html("<span class=\"verdict good\">✓ {}</span>", yes) : html("<span class=\"verdict bad\">✗ {}</span>", no);
}

}  // namespace askrff::experiments
