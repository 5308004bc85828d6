#include "catalogue.h"

// `Scripts/docs --update` writes the list from the folder.
static const struct ZoneKitCatalogueFile files[] = {
#include "files.inc"
};

struct ZoneKitCatalogueFile zonekit_catalogue_file(unsigned index) {
  struct ZoneKitCatalogueFile none = {0, 0};
  return index < sizeof files / sizeof files[0] ? files[index] : none;
}
