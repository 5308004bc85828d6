import ZoneKitDeviceHost
import ZoneKitRecords

extension ScenarioField {
  /// What is wrong if fields of an app's record are to have this value; nil if they have it. The app may compute the
  /// value, as from a list of items.
  package func finding(in fields: Fields, of app: DeviceApp) -> String? {
    let seen = app.simulation.computed(Name(name), fields) ?? fields[Name(name)]
    return value.equals(seen) ? nil : "shows \(name) \(FieldValue.words(seen))"
  }
}

extension ScenarioValue {
  /// Whether a field has this value. A text stands for a reference to the record of that name, a time, and a number with a
  /// fraction.
  fileprivate func equals(_ value: FieldValue?) -> Bool {
    switch (self, value) {
    case (.none, nil): true
    case (.integer(let wanted), .int64(let seen)?): wanted == seen
    case (.integer(let wanted), .double(let seen)?): Double(wanted) == seen
    case (.text(let wanted), .string(let seen)?): wanted == seen
    case (.text(let wanted), .reference(let seen)?): wanted == seen.recordName.text
    case (.text(let wanted), .timestamp(let seen)?): WallTime(iso8601: wanted) == seen
    case (.text(let wanted), .double(let seen)?): Double(wanted) == seen
    default: false
    }
  }

  /// The value without quotes.
  package var plainText: String {
    if case .text(let text) = self { text } else { text }
  }
}

extension DeviceApp {
  /// What is wrong if a device's app is to show that balance of a person; nil if it shows it.
  package func finding(balance expected: ScenarioValue, of person: String, in view: AppView) -> String? {
    guard let balance = simulation.balance else { return "the app has no balances" }
    do throws(AppRefusal) {
      let seen = try balance(person, view)
      return seen == expected.plainText ? nil : "it is \(seen)"
    } catch {
      return error.description
    }
  }
}
