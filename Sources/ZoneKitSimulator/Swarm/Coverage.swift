import ZoneKitSync

/// Counts the commands that users gave, by their form and by the state of the device.
package struct Coverage: Hashable, Sendable {
  /// A form of command on a device in a state.
  package struct Visit: Hashable, Comparable, Sendable {
    /// The name of the app.
    package var app: String
    /// The command without its arguments.
    package var form: String
    /// The state of the device: that of its syncing, or `asleep` or `migrating`.
    package var state: String

    /// A visit.
    package init(app: String, form: String, state: String) {
      self.app = app
      self.form = form
      self.state = state
    }

    /// Orders visits by app, form and state.
    package static func < (first: Visit, second: Visit) -> Bool {
      (first.app, first.form, first.state) < (second.app, second.form, second.state)
    }
  }

  /// How the app answered commands.
  package struct Count: Hashable, Sendable {
    /// Commands that changed something.
    package var changed = 0
    /// Commands that changed nothing.
    package var unchanged = 0
    /// Commands that the app refused.
    package var refused = 0

    /// No commands.
    package init() {}

    /// All commands.
    package var total: Int { changed + unchanged + refused }

    /// Adds two counts.
    package static func + (first: Count, second: Count) -> Count {
      var sum = first
      sum.changed += second.changed
      sum.unchanged += second.unchanged
      sum.refused += second.refused
      return sum
    }
  }

  /// The counts.
  package var counts: [Visit: Count] = [:]

  /// No commands.
  package init() {}

  /// All states, in the order in which a report lists them.
  package static let states =
    [LiveState.idle, .debouncing, .fetching, .sending, .backingOff, .offline, .signedOut].map(\.rawValue)
    + ["asleep", "migrating"]

  /// Adds the counts of other stories.
  package mutating func add(_ other: Coverage) { counts.merge(other.counts, uniquingKeysWith: +) }

  /// The command without its arguments: its first word, the next one that is no argument, and `none` where it removes a
  /// value. Texts in quotes, numbers, and words with other characters than letters are arguments.
  package static func form(of line: String) -> String {
    let words = unquoted(line).split(separator: " ").map(String.init)
    let fixed = words.dropFirst().filter { word in
      word.first?.isLowercase == true && word.utf8.count < 25
        && word.utf8.allSatisfy { isLetter($0) || $0 == UInt8(ascii: "_") }
    }
    let value = fixed.dropFirst().contains("none") ? ["none"] : []
    return (words.prefix(1) + fixed.prefix(1) + value).joined(separator: " ")
  }

  /// The line without what is in quotes.
  private static func unquoted(_ line: String) -> String {
    var (kept, isQuoted, isEscaped) = ("", false, false)
    for character in line {
      if isEscaped {
        isEscaped = false
      } else if isQuoted, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted {
        kept.append(character)
      }
    }
    return kept
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

extension SimulatedDevice {
  /// The state of the device for the coverage of a run.
  var stateForCoverage: String {
    if !isComputing { return "asleep" }
    return process.migration?.isRunning == true ? "migrating" : coordinator.liveState.rawValue
  }
}
