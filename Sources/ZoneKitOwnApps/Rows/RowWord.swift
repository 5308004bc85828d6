import ZoneKitDeviceHost
import ZoneKitRecords
import ZoneKitRelations
import ZoneKitTables

/// The values of columns as users type them: what PostgreSQL reads as a value of the column's type.
enum RowWord {
  /// The forms of words, for the help.
  static let help = [
    "VALUE: what PostgreSQL reads as a value of the column: 12, 1.5, true, 2026-11-21, now, {\"a\":1} in double",
    "       quotes; [a,b] an array, me the account's ID in a column of type uuid, none for null",
  ]

  /// The value of an assignment for a column; nil for `none`. Throws if the column cannot have it.
  static func value(
    of typed: CommandWords.Assignment, _ column: RelationSchema.Column, on shelf: OwnShelf<RowData>
  ) throws(AppRefusal) -> FieldValue? {
    if let list = typed.list, case .array(let element) = column.type {
      var elements: [Datum] = []
      for word in list { elements.append(try datum(word.text, element, of: column, on: shelf)) }
      return column.fieldValue(.array(elements))
    }
    if typed.list == nil, typed.value == CommandWords.Word("none") { return nil }
    if typed.value == CommandWords.Word("me"), column.type == .uuid, let account = shelf.view.account {
      return .string(account.text)
    }
    return column.fieldValue(try datum(typed.value.text, column.type, of: column, on: shelf))
  }

  /// The value of a word for a column.
  static func value(
    of word: String, _ column: RelationSchema.Column, on shelf: OwnShelf<RowData>
  ) throws(AppRefusal) -> FieldValue? {
    column.fieldValue(try datum(word, column.type, of: column, on: shelf))
  }

  private static func datum(
    _ text: String, _ type: DatumType, of column: RelationSchema.Column, on shelf: OwnShelf<RowData>
  ) throws(AppRefusal) -> Datum {
    do throws(SQLFailure) {
      return try type.datum(text, now: shelf.view.wall.milliseconds * 1_000)
    } catch {
      var guess: String?
      if case .enumeration(let type) = type {
        guess =
          NearMiss.guess(for: text, among: type.labels).map { "; did you mean \($0)?" }
          ?? "; there are \(type.labels.joined(separator: ", "))"
      }
      throw AppRefusal("\(column.name): \(error.message)\(guess ?? "")")
    }
  }
}
