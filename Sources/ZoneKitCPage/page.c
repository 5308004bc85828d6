#include "page.h"

static const unsigned char html[] = {
#embed "../../Diagnostics/Page/index.html"
};
static const unsigned char css[] = {
#embed "../../Diagnostics/Page/page.css"
};
static const unsigned char script[] = {
#embed "../../Diagnostics/Page/page.js"
};

static const struct ZoneKitPageFile files[] = {
  {"index.html", "text/html; charset=utf-8", html, sizeof html},
  {"page.css", "text/css; charset=utf-8", css, sizeof css},
  {"page.js", "text/javascript; charset=utf-8", script, sizeof script},
};

struct ZoneKitPageFile zonekit_page_file(unsigned index) {
  struct ZoneKitPageFile none = {0, 0, 0, 0};
  return index < sizeof files / sizeof files[0] ? files[index] : none;
}
