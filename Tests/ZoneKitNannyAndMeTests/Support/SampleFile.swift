/// A small share file, member for member in the order that the app writes.
enum SampleFile {
  /// A file of the sample profile with a running sleep and those lines of history.
  static func text(
    active: String = running, history: [String] = [bottle, diaper, sleep], profile: String = profile
  ) -> String {
    let list = history.isEmpty ? "[]" : "[\n" + history.joined(separator: ",\n") + "\n  ]"
    return """
      {
       "version": 1,
       "exportedAt": "2026-08-14T06:00:00Z",
       "profile": {
      \(profile)
       },
       "actions": {
        "activeActions": \(active),
        "history": \(list)
       }
      }

      """
  }

  static let profile = """
      "id": "E9464B86-36B3-4E94-93C5-DCC2AF87B33D",
      "name": "Zoë Müller-Łukasz 👶",
      "birthDate": "2026-07-30T11:04:00Z",
      "remindersEnabled": true,
      "isShared": false,
      "sharePermissionRawValue": "edit",
      "actionReminderIntervals": {
       "sleep": 7200,
       "feeding": 10800
      },
      "actionRemindersEnabled": {
       "sleep": true,
       "diaper": false,
       "feeding": true
      },
      "actionReminderOverrides": {
       "feeding": [
        1,
        2.5
       ]
      }
    """

  static let running = """
    {
       "sleep": {
        "id": "8A60B38A-24C0-4DFE-8B0A-CEBE89633A03",
        "category": "sleep",
        "startDate": "2026-08-14T05:35:00Z",
        "updatedAt": "2026-08-14T05:35:00Z"
       }
      }
    """

  static let bottle = """
       {
        "id": "10B650D5-00A8-45EA-BF18-B81EC0489382",
        "category": "feeding",
        "startDate": "2026-08-14T05:00:00Z",
        "endDate": "2026-08-14T05:20:00Z",
        "feedingType": "bottle",
        "bottleType": "breastMilk",
        "bottleVolume": 140,
        "updatedAt": "2026-08-14T05:20:02Z"
       }
    """

  static let diaper = """
       {
        "id": "3E4CDC2D-2D2C-44CF-A197-41E55A7E3574",
        "category": "diaper",
        "startDate": "2026-08-14T04:30:00Z",
        "endDate": "2026-08-14T04:30:00Z",
        "diaperType": "pee",
        "placename": "Spielplatz 🌳",
        "latitude": 48.15,
        "longitude": 11.581,
        "updatedAt": "2026-08-14T04:30:00Z"
       }
    """

  static let sleep = """
       {
        "id": "0CB1E29C-658C-4A14-95E6-0AF593BD04CF",
        "category": "sleep",
        "startDate": "2026-08-14T03:00:00Z",
        "endDate": "2026-08-14T04:20:00Z",
        "updatedAt": "2026-08-14T04:20:00Z"
       }
    """

  /// The sleep as an app version wrote it that knew no stamps.
  static let oldSleep = """
       {
        "id": "0CB1E29C-658C-4A14-95E6-0AF593BD04CF",
        "category": "sleep",
        "startDate": "2026-08-14T03:00:00Z",
        "endDate": "2026-08-14T04:20:00Z"
       }
    """
}
