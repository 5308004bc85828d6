import ZoneKitDeviceHost
import ZoneKitRecords

/// Random commands of NannyAndMe.
extension NannySimulation {
  /// Edits of few actions. `@N` stands for the Nth action. One command in six has unusual arguments.
  @Sendable static func randomLine(_ draw: () -> UInt64) -> String {
    if draw() % 6 == 0 { return unusualLine(draw) }
    let volume = draw() % 5_000
    let number = draw() % 9 + 1
    switch draw() % 16 {
    case 0: return "log diaper \(["pee", "poo", "both"][Int(draw() % 3)])"
    case 1, 2: return "log feeding bottle volume \(volume)"
    case 3: return "start sleep"
    case 4: return "stop sleep"
    case 5: return "delete @\(number)"
    case 6: return "profile name Baby\(volume)"
    case 7, 8: return "edit @\(number) placename Place\(volume)"
    case 9: return "edit @\(number) endDate -\(volume % 300 + 1)m"
    case 10: return "edit @\(number) latitude \(Double(volume % 180) / 2)"
    case 11: return "edit @\(number) startDate -\(volume % 600 + 301)m"
    case 12: return "log sleep at -\(volume % 60 + 60)m until -\(volume % 60)m"
    default: return "edit @\(number) bottleVolume \(volume)"
    }
  }

  /// Commands with arguments at their limits, and with the values that are there already.
  private static func unusualLine(_ draw: () -> UInt64) -> String {
    let number = draw() % 9 + 1
    switch draw() % 22 {
    case 0: return "log sleep at 12:00 until 12:00"
    case 1: return "log sleep at \(UnusualWords.time(draw)) until \(UnusualWords.time(draw))"
    case 2: return "log feeding \(["leftBreast", "meal"][Int(draw() % 2)]) at \(UnusualWords.time(draw))"
    case 3: return "log feeding bottle volume \(volume(draw)) type \(bottle(draw))"
    case 4: return "start feeding bottle volume \(volume(draw)) at \(UnusualWords.time(draw))"
    case 5: return "start sleep at \(UnusualWords.time(draw))"
    case 6: return "stop feeding at \(UnusualWords.time(draw))"
    case 7: return "stop sleep at \(UnusualWords.time(draw))"
    case 8, 9: return "edit @\(number) startDate \(UnusualWords.time(draw))"
    case 10, 11: return "edit @\(number) endDate \(draw() % 3 == 0 ? "none" : UnusualWords.time(draw))"
    case 12: return "edit @\(number) diaperType \(["pee", "poo", "both"][Int(draw() % 3)])"
    case 13: return "edit @\(number) feedingType \(["bottle", "leftBreast", "meal"][Int(draw() % 3)])"
    case 14: return "edit @\(number) bottleType \(draw() % 3 == 0 ? "none" : bottle(draw))"
    case 15: return "edit @\(number) bottleVolume \(draw() % 3 == 0 ? "none" : volume(draw))"
    case 16: return "edit @\(number) latitude \(["none", "-90", "90", "0", "-0.0", "1e-300"][Int(draw() % 6)])"
    case 17: return "edit @\(number) longitude \(["none", "-180", "180", "0"][Int(draw() % 4)])"
    case 18, 19: return "edit @\(number) placename \(draw() % 3 == 0 ? "none" : UnusualWords.text(upTo: 300, draw))"
    case 20: return "profile name \(UnusualWords.name(upTo: 300, draw))"
    default: return "profile birth \(UnusualWords.time(draw))"
    }
  }

  private static func volume(_ draw: () -> UInt64) -> String {
    ["0", "100", "\(BabyAction.volumes.upperBound)"][Int(draw() % 3)]
  }

  private static func bottle(_ draw: () -> UInt64) -> String {
    BottleType.allCases[Int(draw() % UInt64(BottleType.allCases.count))].rawValue
  }
}
