import ZoneKitRecords

/// The pages of the sign-in (CloudKit Web Services, e.2). They are complete without any other file.
package enum SignInPage {
  /// The page with the form. `problem` is why the last try failed.
  package static func form(
    _ ticket: SignInTicket, name: String = "", asksPassword: Bool, problem: SignInProblem? = nil,
    callback: String? = nil, nonce: String
  ) -> HTTPReply {
    let password =
      asksPassword
      ? "<label>Password <input name=\"password\" type=\"password\" autocomplete=\"current-password\" required></label>"
      : "<p class=\"note\">This server is open: any name signs in, without a password.</p>"
    return page(
      status: problem?.status ?? 200, title: "Sign in", nonce: nonce, formTarget: callback.flatMap { origin(of: $0) },
      body: """
        <p>\(escaped(ticket.container.text)), \(ticket.environment.rawValue)</p>
        \(problem.map { "<p role=\"alert\">\(escaped($0.reason))</p>" } ?? "")
        <form method="post" action="/\(SignInTicket.root)" accept-charset="utf-8">
        <input type="hidden" name="ticket" value="\(escaped(ticket.text))">
        <label>Name <input name="name" value="\(escaped(name))" autocomplete="username" maxlength="255" required autofocus></label>
        \(password)
        <label class="row"><input type="checkbox" name="keep" value="on"> Keep me signed in</label>
        <button>Sign in</button>
        </form>
        """)
  }

  /// The page that says only why nobody can sign in.
  package static func refusal(_ problem: SignInProblem, nonce: String) -> HTTPReply {
    page(
      status: problem.status, title: "Sign in", nonce: nonce, formTarget: nil,
      body: "<p role=\"alert\">\(escaped(problem.reason))</p>")
  }

  /// The reply that takes the browser and the token to the URL of an app.
  package static func redirect(to callback: String, token: String) -> HTTPReply {
    let separator = callback.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return HTTPReply(
      status: 303,
      fields: [
        HTTPField("Location", "\(callback)\(separator)ckWebAuthToken=\(HTTPPercent.encode(token))"),
        HTTPField("Cache-Control", "no-store"), HTTPField("Referrer-Policy", "no-referrer"),
      ])
  }

  /// The page that hands the token to the page that opened it, if that is of the target origin. Apps listen for a message
  /// with `ckWebAuthToken`, and older ones for one with `ckSession`.
  package static func signedIn(token: String, targetOrigin: String, nonce: String) -> HTTPReply {
    let message: JSON = ["ckWebAuthToken": .string(token), "ckSession": .string(token)]
    return page(
      status: 200, title: "Signed in", nonce: nonce, formTarget: nil,
      body: """
        <p>You are signed in. This window can be closed.</p>
        <p class="note">For programs: <code>\(escaped(token))</code></p>
        <script nonce="\(nonce)">
        if (window.opener) { window.opener.postMessage(\(script(message)), \(script(.string(targetOrigin)))); window.close(); }
        </script>
        """)
  }

  /// The scheme, host and port of a URL; nil if it is no URL of the web.
  package static func origin(of url: String) -> String? {
    guard let scheme = ["https://", "http://"].first(where: { url.hasPrefix($0) }) else { return nil }
    let rest = url.dropFirst(scheme.count)
    let host = rest.prefix { !"/?#".contains($0) }
    guard !host.isEmpty, host.utf8.allSatisfy(isOfHost), rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    return scheme + host
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"),
      UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }

  // MARK: HTML

  private static let style = """
    body{font:16px/1.5 system-ui,sans-serif;max-width:24rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}
    label{display:block;margin:1rem 0}input:not([type=checkbox]){display:block;width:100%;box-sizing:border-box;font:inherit;padding:.4rem}
    button{font:inherit;padding:.5rem 1rem}[role=alert]{font-weight:bold}.note{opacity:.8}code{overflow-wrap:anywhere}
    """

  /// A page that loads nothing, that no other page may frame, and whose form goes to this server, or with a redirect to
  /// `formTarget`. Unlike the live page it must not cut itself off from the page that opened it.
  private static func page(
    status: Int, title: String, nonce: String, formTarget: String?, body: String
  ) -> HTTPReply {
    let policy =
      "default-src 'none'; style-src 'nonce-\(nonce)'; script-src 'nonce-\(nonce)'; base-uri 'none'; "
      + "form-action 'self'\(formTarget.map { " " + $0 } ?? ""); frame-ancestors 'none'"
    return HTTPReply(
      status: status,
      fields: [
        HTTPField("Content-Security-Policy", policy), HTTPField("X-Content-Type-Options", "nosniff"),
        HTTPField("Referrer-Policy", "no-referrer"), HTTPField("Cross-Origin-Resource-Policy", "same-origin"),
        HTTPField("Cache-Control", "no-store"),
      ],
      contentType: "text/html; charset=utf-8",
      body: Array(
        """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>\(title)</title>
        <style nonce="\(nonce)">\(style)</style></head>
        <body><main><h1>\(title)</h1>
        \(body)
        </main></body>
        </html>

        """.utf8))
  }

  /// Text in HTML.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  /// A value in a script, in which no tag can begin.
  private static func script(_ value: JSON) -> String {
    value.text().split(separator: "<", omittingEmptySubsequences: false).joined(separator: "\\u003C")
  }
}
