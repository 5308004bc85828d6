import ZoneKitDeviceHost
import ZoneKitSync

/// A setting of a device's coordinator in `--tune`.
struct DeviceTuning {
  private let setting: CoordinatorSetting
  private let number: Int64

  /// Parses `NAME=NUMBER`.
  init(_ word: String) throws(ExitFailure) {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    guard let setting = parts.first.flatMap(CoordinatorSetting.init(rawValue:)) else {
      let names = CoordinatorSetting.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("--tune takes NAME=NUMBER with one of \(names), not \(word)")
    }
    guard parts.count == 2, let number = Int64(parts[1]), (0...1_000_000_000_000).contains(number),
      setting.isSwitch ? number <= 1 : number > 0
    else {
      let expected = setting.isSwitch ? "0 or 1" : "a whole number from 1"
      throw .usage("--tune \(setting.rawValue) takes \(expected), not \(parts.count == 2 ? parts[1] : "nothing")")
    }
    self.setting = setting
    self.number = number
  }

  /// Applies the setting. Throws if the app has no use for it.
  func apply(to app: inout DeviceApp) throws(ExitFailure) {
    if setting == .deletePolicy, app.configuration.traits.arbiter == .cloud {
      throw .usage(
        "--tune deletePolicy does not apply to \(app.name): its server decides between an edit and a deletion")
    }
    setting.set(number, in: &app.configuration)
  }
}
