/// The files of Diagnostics/Page, as parts of the program.
#ifndef ZONEKIT_PAGE_H
#define ZONEKIT_PAGE_H

/// A file: its name without folder, its media type, and its bytes.
struct ZoneKitPageFile {
  const char *name;
  const char *type;
  const unsigned char *bytes;
  unsigned long size;
};

/// The file at that index; a file without a name after the last.
struct ZoneKitPageFile zonekit_page_file(unsigned index);

#endif
