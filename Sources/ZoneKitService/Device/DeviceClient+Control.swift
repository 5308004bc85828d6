import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitStorage
import ZoneKitSync

/// What a device does at the wish of another process.
extension DeviceClient {
  /// The answer to a question on the control socket: a line of JSON.
  func answer(to question: ControlSocket.Question) -> [UInt8] {
    switch question {
    case .diagnostics: return DeviceReport.answer(of: self)
    case .standAside: return Self.line(makeWay())
    case .reset(let reset, let backingUp):
      do throws(StoresError) {
        return Self.line(ResetAnswer(try self.reset(reset, backingUp: backingUp)).json)
      } catch {
        return Self.line(["error": .string(error.description)])
      }
    }
  }

  private static func line(_ json: JSON) -> [UInt8] { json.bytes() + [UInt8(ascii: "\n")] }

  private func makeWay() -> JSON {
    guard let onStandAside, StandingAside.isWanted(in: options.data) else {
      return ["error": .string(StandingAside.refusal)]
    }
    onStandAside()
    return ["done": true]
  }

  /// Resets the store of the running app, which then syncs, after a backup if one is wanted. Returns what was removed.
  private func reset(_ reset: StoreReset, backingUp: Bool) throws(StoresError) -> (plan: ResetPlan, backup: String?) {
    guard appState == .running else {
      throw .unavailable("the app of \(options.name) is \(appState.rawValue); foreground opens it")
    }
    return try ScriptedReset(ResetTarget(reset, of: options.name), in: options.data).perform(
      backingUp: backingUp, at: SystemClock.wall
    ) { [self] () throws(StoreError) in
      try attempt { (process, moment) throws(StoreError) in try process.reset(reset, at: moment) }
    }
  }

  /// The options with which a device starts again as this one is now, but with the account of its store.
  package var present: DeviceOptions {
    var options = options
    (options.user, options.isSignedOut) = (nil, false)
    options.startsOffline = !process.hasLink
    options.timeZone = timeZone
    return options
  }
}
