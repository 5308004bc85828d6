/// Writes a timeline as one HTML file: the picture, a search, and the same story as text. It loads nothing.
struct TimelineStory {
  private let timeline: Timeline

  init(_ timeline: Timeline) { self.timeline = timeline }

  /// The whole document.
  var document: String {
    // An XML declaration has no place within HTML.
    let picture = timeline.svg.split(separator: "\n").dropFirst().joined(separator: "\n")
    let title = TimelinePicture.escaped(timeline.layout.heading)
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <title>\(title)</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <header>
      <label>Search <input type="search" id="search" placeholder="a device, a record, a word"></label>
      <button type="button" id="next">Next</button>
      <output id="found" for="search"></output>
      </header>
      <main>
      <figure>
      \(picture)
      </figure>
      <details>
      <summary>The same as text</summary>
      <pre>\(timeline.text.split(separator: "\n").map { TimelinePicture.escaped(String($0)) }.joined(separator: "\n"))</pre>
      </details>
      </main>
      <script>
      \(Self.script)
      </script>
      </body>
      </html>

      """
  }

  /// The file may run its own script and style, and fetch and send nothing.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

  private static let style = """
    :root { color-scheme: light dark; font: 14px/1.4 system-ui, sans-serif; }
    body { margin: 0; }
    header { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .5rem 1rem;
      background: Canvas; border-bottom: 1px solid GrayText; }
    input, button { font: inherit; padding: .2rem .4rem; }
    figure { margin: 0; overflow-x: auto; }
    figure svg { display: block; margin: 0 auto; }
    details { padding: 0 1rem 1rem; }
    pre { overflow-x: auto; }
    svg .hit { stroke: #b45309; stroke-width: .8px; fill: #92400e; }
    svg .at { stroke: #b45309; stroke-width: 1.6px; }
    svg g:hover > text, svg text:hover { text-decoration: underline; }
    """

  private static let script = """
    "use strict";
    const search = document.getElementById("search");
    const found = document.getElementById("found");
    const texts = [...document.querySelectorAll("svg text, svg g")].filter(
      (node) => node.tagName === "text" || node.querySelector(":scope > title"));
    let hits = [];
    let place = -1;
    const words = (node) => node.textContent.toLowerCase();
    function look() {
      for (const node of texts) node.classList.remove("hit", "at");
      const word = search.value.trim().toLowerCase();
      hits = word ? texts.filter((node) => node.tagName === "text" && words(node).includes(word)) : [];
      for (const node of hits) node.classList.add("hit");
      place = -1;
      found.textContent = word ? `${hits.length} found` : "";
      if (hits.length) next();
    }
    function next() {
      if (!hits.length) return;
      hits[place]?.classList.remove("at");
      place = (place + 1) % hits.length;
      hits[place].classList.add("at");
      hits[place].scrollIntoView({ block: "center", inline: "nearest" });
      found.textContent = `${place + 1} of ${hits.length}`;
    }
    search.addEventListener("input", look);
    search.addEventListener("keydown", (event) => { if (event.key === "Enter") next(); });
    document.getElementById("next").addEventListener("click", next);
    """
}
