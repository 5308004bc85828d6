import ZoneKitWire

/// The deliberate differences to the foreign parser.
extension HTTPProperties {
  /// A rule by which a request is refused here that the foreign parser takes.
  struct Stricter {
    /// How the reason begins.
    let reason: String
    /// Why the rule is there.
    let why: String
  }

  /// The rules, one by one.
  static let stricter = [
    Stricter(
      reason: "A line of a head must end with CR LF",
      why: "a bare LF ends a line for some servers and not for others, which makes smuggling possible"),
    Stricter(reason: "A line of a chunked body must end with CR LF", why: "the same in the framing of chunks"),
    Stricter(reason: "A message must begin with its start line", why: "one empty line before it is skipped, not many"),
    Stricter(
      reason: "A request must begin with a method",
      why: "one space between the parts, no control character and no byte above 0x7E, no fragment, no version 0.9"),
    Stricter(reason: "A request must have exactly one Host", why: "RFC 9112, 3.2"),
    Stricter(reason: "A request target must begin with '/'", why: "no authority form: the server is no proxy"),
    Stricter(reason: "A request target may have at most", why: "a limit"),
    Stricter(reason: "A head may have at most", why: "a limit"),
    Stricter(reason: "Trailers may have at most", why: "a limit"),
    Stricter(reason: "The line before a chunk may have at most", why: "a limit"),
    Stricter(reason: "A body may have at most", why: "a limit"),
    Stricter(
      reason: "A field line must be a name, a colon right behind it",
      why: "no folded lines, and no blanks before the colon: servers disagree about both"),
    Stricter(
      reason: "A field value must not hold a control character", why: "a CR alone hides fields from some servers"),
    Stricter(reason: "A trailer must be a name, a colon right behind it", why: "the same in the trailers of chunks"),
    Stricter(reason: "The version must be HTTP/1.1 or HTTP/1.0", why: "the foreign parser takes any digits"),
    Stricter(reason: "Expect may only be 100-continue", why: "RFC 9110, 10.1.1"),
    Stricter(
      reason: "Transfer-Encoding may only be chunked", why: "no other coding is decoded, so none is passed over"),
    Stricter(reason: "Transfer-Encoding must be given once", why: "servers disagree about which one counts"),
    Stricter(reason: "HTTP/1.0 has no Transfer-Encoding", why: "a server of HTTP/1.0 passes it over"),
    Stricter(reason: "A message must have Content-Length or Transfer-Encoding", why: "two ends of one message"),
    Stricter(reason: "Content-Length must be given once", why: "two ends of one message"),
    Stricter(
      reason: "Content-Length must be a plain decimal number",
      why: "signs, lists and blanks within are read in many ways"),
    Stricter(
      reason: "A chunk must begin with its size", why: "blanks behind the size and control characters are refused"),
    Stricter(
      reason: "A chunk must have the length that its size line states",
      why: "the foreign parser as Debian builds it skips the two bytes behind a chunk unread"),
  ]

  /// The errors of the foreign parser for requests that are read here, one by one.
  static let laxer = [
    // It has a list of methods. Here any token is read, and then answered with 405.
    "HPE_INVALID_METHOD",
    // It checks the authority of a target in absolute form. Here the path alone counts.
    "HPE_INVALID_URL",
  ]
}
