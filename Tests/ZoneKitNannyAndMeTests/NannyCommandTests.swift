import ZoneKitDeviceHost
import ZoneKitNannyAndMe
import ZoneKitRecords
import Testing

private func parsed(_ line: String) throws -> NannyCommand { try NannyCommand(parsing: line) }

private func bottle(at: TimeWord? = nil, until: TimeWord? = nil, volume: Int64? = nil) -> NewAction {
  var action = NewAction(.feeding(.bottle))
  action.at = at
  action.until = until
  action.volume = volume
  return action
}

private func typed(_ type: BottleType) -> NewAction {
  var action = NewAction(.feeding(.bottle))
  action.bottleType = type
  return action
}

struct NannyCommandTests {
  static let accepted: [(String, NannyCommand)] = [
    ("log sleep", .log(NewAction(.sleep))),
    ("  log   diaper\tpoo ", .log(NewAction(.diaper(.poo)))),
    ("log diaper Both", .log(NewAction(.diaper(.both)))),
    ("log feeding leftbreast", .log(NewAction(.feeding(.leftBreast)))),
    ("log feeding bottle volume 120", .log(bottle(volume: 120))),
    ("log feeding bottle type breastMilk", .log(typed(.breastMilk))),
    (
      "log feeding bottle volume 0 until now at -90m",
      .log(bottle(at: .ago(milliseconds: 5_400_000), until: .now, volume: 0))
    ),
    ("log feeding bottle at 06:05", .log(bottle(at: .today(minutes: 365)))),
    ("log feeding bottle at 2026-08-14T06:00:00Z", .log(bottle(at: .absolute(morning)))),
    ("start sleep", .start(NewAction(.sleep))),
    ("start feeding bottle at -2h", .start(bottle(at: .ago(milliseconds: 7_200_000)))),
    ("stop sleep", .stop("sleep", at: nil)),
    ("stop 8A60 at now", .stop("8A60", at: .now)),
    ("edit 8A60 bottleVolume 90", .edit("8A60", .bottleVolume(90))),
    ("edit 8A60 bottleVolume none", .edit("8A60", .bottleVolume(nil))),
    ("edit 8A60 startDate -1h30m", .edit("8A60", .startDate(.ago(milliseconds: 5_400_000)))),
    ("edit 8A60 endDate none", .edit("8A60", .endDate(nil))),
    ("edit 8A60 diaperType pee", .edit("8A60", .diaperType(.pee))),
    ("edit 8A60 feedingType meal", .edit("8A60", .feedingType(.meal))),
    ("edit 8A60 bottleType cowMilk", .edit("8A60", .bottleType(.cowMilk))),
    ("edit 8A60 latitude 48.15", .edit("8A60", .latitude(48.15))),
    ("edit 8A60 longitude -180", .edit("8A60", .longitude(-180))),
    ("edit 8A60 placename \"Großmutters \\\"Haus\\\"\"", .edit("8A60", .placename("Großmutters \"Haus\""))),
    ("edit 8A60 placename \"\"", .edit("8A60", .placename(""))),
    ("delete 8A60", .delete("8A60")),
    ("profile name \"Mia Müller\"", .profileName("Mia Müller")),
    ("profile name Mia", .profileName("Mia")),
    ("profile birth 2026-08-14T06:00:00Z", .profileBirth(.absolute(morning))),
    ("list", .list(nil)),
    ("list 5", .list(5)),
    ("show 8A60", .show("8A60")),
  ]

  @Test(arguments: accepted)
  func `a command is read`(line: String, command: NannyCommand) throws {
    #expect(try parsed(line) == command)
  }

  static let refused: [(String, String)] = [
    ("", "the command ends too early; expected one of log, start, stop, edit, delete, profile, list, show"),
    ("feed", "unknown command \"feed\"; the app knows log, start, stop, edit, delete, profile, list, show"),
    ("log", "the command ends too early; expected a category: sleep, diaper, feeding"),
    ("log bath", "unknown category \"bath\"; expected one of sleep, diaper, feeding"),
    ("log diaper", "the command ends too early; expected a kind of diaper: pee, poo, both"),
    ("log diaper green", "unknown kind of diaper \"green\"; expected one of pee, poo, both"),
    ("log feeding cup", "unknown kind of feeding \"cup\"; expected one of bottle, leftBreast, rightBreast, meal"),
    ("log sleep volume 5", "only a bottle has a volume; use `feeding bottle`, or leave it out"),
    ("log feeding meal type formula", "only a bottle has a type; use `feeding bottle`, or leave it out"),
    (
      "log feeding bottle type goatMilk",
      "unknown type of bottle \"goatMilk\"; expected one of formula, breastMilk, cowMilk"
    ),
    ("log feeding bottle volume 1.5", "\"1.5\" is not a volume; expected whole millilitres from 0 to 5000"),
    ("log feeding bottle volume 5001", "\"5001\" is not a volume; expected whole millilitres from 0 to 5000"),
    ("log feeding bottle volume", "the command ends too early; expected a volume in millilitres"),
    ("log diaper pee until now", "a diaper change is one moment; leave out `until`"),
    ("log sleep at now at now", "\"at\" comes twice; say it once"),
    (
      "log sleep yesterday",
      "unexpected \"yesterday\"; expected one of at TIME, until TIME, volume ML, type TYPE"
    ),
    (
      "log sleep at noon",
      "\"noon\" is not a time; expected now, HH:MM (today), -90m, -2h, 2026-08-14T06:31, or ISO 8601 such as 2026-08-14T06:31:05Z"
    ),
    ("start diaper pee", "a diaper change is one moment; use `log diaper KIND`"),
    ("start sleep until now", "`start` makes an action that runs; say `until` with `log`"),
    ("stop sleep now", "unexpected \"now\"; only `at TIME` may follow here"),
    (
      "edit 8A60 colour red",
      "an action has no editable field \"colour\"; expected one of startDate, endDate, diaperType, feedingType, "
        + "bottleType, bottleVolume, latitude, longitude, placename"
    ),
    ("edit 8A60 latitude 91", "\"91\" is not in degrees; expected a number from -90.0 to 90.0"),
    ("edit 8A60 latitude nan", "\"nan\" is not in degrees; expected a number from -90.0 to 90.0"),
    (
      "edit 8A60 placename Großmutters Haus",
      "unexpected \"Haus\": the command is complete before it; text with blanks goes in double quotes"
    ),
    ("profile", "the command ends too early; expected `name \"Mia\"` or `birth 2026-08-01`"),
    ("profile colour red", "a profile has no \"colour\"; it has name and birth"),
    ("profile name \" \"", "the name is empty"),
    ("profile name \"Mia", "a quote is not closed; end the text with \""),
    ("profile name \"Mia\\", "a quote is not closed; end the text with \""),
    ("list 0", "\"0\" is not how many actions to list; expected a whole number from 1"),
    ("list many", "\"many\" is not how many actions to list; expected a whole number from 1"),
  ]

  @Test(arguments: refused)
  func `an impossible command is refused with what would be right`(line: String, message: String) {
    #expect(throws: AppRefusal(message)) { try parsed(line) }
  }

  @Test(arguments: 1...500 as ClosedRange<UInt64>)
  func `any words give a command or an error`(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let words = [
      "log", "start", "stop", "edit", "list", "profile", "name", "sleep", "feeding", "bottle", "at", "until", "volume",
      "now", "-90m", "-", "-m", "-99999999999999999999d", "99:99", "\"", "\\", "é", "9223372036854775808", "endDate",
    ]
    let line = (0..<Int.random(in: 0...8, using: &generator)).map { _ in words.randomElement(using: &generator)! }
    do throws(AppRefusal) {
      _ = try NannyCommand(parsing: line.joined(separator: " "))
    } catch {
      #expect(!error.description.isEmpty)
    }
  }
}
