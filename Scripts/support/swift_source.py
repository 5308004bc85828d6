"""Reads Swift far enough to distinguish code, comments and texts, and to find the functions and their lengths."""

import bisect
import re

TOKEN = re.compile(r'//|/\*|#*"""|#*"|`|#+/')
TOKEN_OR_PARENTHESIS = re.compile(r'//|/\*|#*"""|#*"|`|#+/|[()]')
COMMENT_EDGE = re.compile(r"/\*|\*/")

FUNCTION = re.compile(
    r"(?<![\w.])(?:func\s+(?P<function>`[^`]*`|[^\s(<]+)"
    r"|(?P<special>init|deinit|subscript)\b(?=\s*[?!(<{])"
    r"|var\s+(?P<property>\w+)\s*:[^={}\n]*(?=\{))"
)
# What can follow a signature that has no body: the next declaration of a protocol.
SIGNATURE_EDGE = re.compile(
    r"[()\[\]{}]|\n\s*(?:@\w+\s+|(?:public|package|internal|private|fileprivate|static|mutating|override|final)\s+)*"
    r"(?:func|var|let|init|deinit|subscript|case|struct|enum|protocol|extension|typealias|associatedtype|import|#)\b"
)


class SwiftSource:
    """A Swift file: `code` is the text with comments, string texts and quoted identifiers blanked, at the same offsets;
    `literals` the string texts with their offsets."""

    def __init__(self, text):
        self.text = text
        self.literals = []
        self._blanks = []
        self._line_starts = [0] + [match.end() for match in re.finditer("\n", text)]
        self._scan_code(0, inside_interpolation=False)
        self.code = self._blanked()

    def line(self, offset):
        return bisect.bisect_right(self._line_starts, offset)

    def functions(self):
        """Yields (name, first line, number of lines) of every function, initializer, subscript and computed property."""
        closing = self._closing_braces()
        for match in FUNCTION.finditer(self.code):
            opening = self._body(match.end())
            if opening is None or opening not in closing:
                continue
            start = match.start()
            name = self.text[match.start("function"):match.end("function")] if match["function"] else match[0].split(":")[0]
            yield name, self.line(start), self.line(closing[opening]) - self.line(start) + 1

    def arguments(self, opening):
        """The number of arguments of the call whose parenthesis opens at this offset."""
        depth, commas, end = 0, 0, opening
        for end in range(opening, len(self.code)):
            character = self.code[end]
            if character in "([{":
                depth += 1
            elif character in ")]}":
                depth -= 1
                if depth == 0:
                    break
            elif character == "," and depth == 1:
                commas += 1
        inside = self.code[opening + 1:end].strip().rstrip(",")
        trailing = self.code[opening + 1:end].rstrip().endswith(",")
        return commas + (0 if trailing else 1) if inside else 0

    # Scanning

    def _scan_code(self, position, inside_interpolation):
        """Scans code from `position`; inside an interpolation, up to the parenthesis that closes it. Returns the end."""
        pattern = TOKEN_OR_PARENTHESIS if inside_interpolation else TOKEN
        depth = 0
        while match := pattern.search(self.text, position):
            token = match[0]
            if token == "(":
                depth, position = depth + 1, match.end()
            elif token == ")":
                position = match.end()
                if depth == 0:
                    return position
                depth -= 1
            elif token == "//":
                position = self._blank_until("\n", match.start(), match.end())
            elif token == "/*":
                position = self._scan_comment(match.start(), match.end())
            elif token == "`":
                position = self._blank_until("`", match.end(), match.end()) + 1
            elif token.endswith("/"):
                position = self._blank_until("/" + token[:-1], match.end(), match.end()) + len(token)
            else:
                position = self._scan_string(match)
        return len(self.text)

    def _blank_until(self, end, start, search_from):
        position = self.text.find(end, search_from)
        position = len(self.text) if position < 0 else position
        self._blanks.append((start, position))
        return position

    def _scan_comment(self, start, position):
        depth = 1
        while depth and (match := COMMENT_EDGE.search(self.text, position)):
            depth += 1 if match[0] == "/*" else -1
            position = match.end()
        position = position if depth == 0 else len(self.text)
        self._blanks.append((start, position))
        return position

    def _scan_string(self, opening):
        hashes = "#" * opening[0].count("#")
        quotes = opening[0][len(hashes):]
        line_end = "" if len(quotes) == 3 else r"|\n"
        edge = re.compile(r"\\" + hashes + r"(?:\(|[^(\n])|" + quotes + hashes + line_end)
        texts, position, part = [], opening.end(), opening.end()
        while match := edge.search(self.text, position):
            position = match.end()
            if match[0].endswith("(") and match[0][0] == "\\":
                texts.append(self._blank_text(part, match.start()))
                position = part = self._scan_code(position, inside_interpolation=True)
            elif match[0][0] != "\\":
                texts.append(self._blank_text(part, match.start()))
                break
        else:
            position = len(self.text)
            texts.append(self._blank_text(part, position))
        self.literals.append((opening.start(), "?".join(texts)))
        return position

    def _blank_text(self, start, end):
        self._blanks.append((start, end))
        return self.text[start:end]

    def _blanked(self):
        pieces, position = [], 0
        for start, end in sorted(self._blanks):
            pieces += [self.text[position:start], re.sub(r"[^\n]", " ", self.text[start:end])]
            position = end
        return "".join(pieces) + self.text[position:]

    # Functions

    def _closing_braces(self):
        closing, open_braces = {}, []
        for match in re.finditer(r"[{}]", self.code):
            if match[0] == "{":
                open_braces.append(match.start())
            elif open_braces:
                closing[open_braces.pop()] = match.start()
        return closing

    def _body(self, position):
        """The offset of the brace that opens the body of the signature at `position`, or None where there is no body."""
        depth = 0
        for match in SIGNATURE_EDGE.finditer(self.code, position):
            if match[0] in "([":
                depth += 1
            elif match[0] in ")]":
                depth -= 1
            elif depth == 0:
                return match.start() if match[0] == "{" else None
        return None
