/// The files of Diagnostics/Scenarios and rules.json, as parts of the program.
#ifndef ZONEKIT_CATALOGUE_H
#define ZONEKIT_CATALOGUE_H

/// A file: its name without folder, and its bytes, which end with a zero.
struct ZoneKitCatalogueFile {
  const char *name;
  const char *text;
};

/// The file at that index, in the order of names; a file without a name after the last.
struct ZoneKitCatalogueFile zonekit_catalogue_file(unsigned index);

#endif
