"""The list of the catalogue's files that are parts of the program. The compiler embeds each of them."""

import os

FOLDER = "Diagnostics/Scenarios"
DEMOS = "Diagnostics/Demos"
DOCUMENTS = "Diagnostics/Documents"
SCHEMAS = "Diagnostics/Schemas"
# The folders whose files are parts of the program, each with the end of their names.
FOLDERS = ((FOLDER, ".scenario"), (DEMOS, ".scenario"), (DOCUMENTS, ".json"), (SCHEMAS, ".sql"))
LIST = "Sources/ZoneKitCCatalogue/files.inc"


def listing(root):
    """The text of the list: all scenarios in the order of their files' names, the demos, the files of documents and schemas,
    and the rules."""
    paths = [
        f"{os.path.basename(folder)}/{name}" for folder, ending in FOLDERS if os.path.isdir(os.path.join(root, folder))
        for name in sorted(os.listdir(os.path.join(root, folder))) if name.endswith(ending)] + ["rules.json"]
    return "".join(
        f'{{"{path.split("/")[-1]}", (const char[]){{\n#embed "../../Diagnostics/{path}"\n, 0}}}},\n' for path in paths)


def write(root):
    """Writes the list, and returns its path."""
    with open(os.path.join(root, LIST), "w", encoding="utf-8") as file:
        file.write(listing(root))
    return LIST
