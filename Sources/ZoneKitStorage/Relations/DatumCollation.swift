import ZoneKitCSQLite
import ZoneKitExpressions
import ZoneKitRecords
import ZoneKitRelations

/// The order of the texts that stand for the values of a type, as a collation of a connection.
final class DatumCollation {
  private let form: DatumForm

  private init(_ type: DatumType) { form = DatumForm(type: type.unlimited) }

  /// Whether the order of a type's values is not that of what is kept of them.
  static func needs(_ type: DatumType) -> Bool {
    switch type {
    case .numeric, .jsonb, .array: true
    default: false
    }
  }

  /// The name of the collation of a type. The limits of a type make no difference.
  static func name(of type: DatumType) -> String {
    switch type {
    case .array(let element): "zonekit_array_of_\(element.name)"
    default: "zonekit_\(type.name)"
    }
  }

  /// Adds the collation of a type to a connection. Returns the result code.
  static func add(_ type: DatumType, to handle: OpaquePointer) -> Int32 {
    sqlite3_create_collation_v2(
      handle, name(of: type), SQLITE_UTF8, Unmanaged.passRetained(DatumCollation(type)).toOpaque(),
      { own, firstCount, first, secondCount, second in
        guard let own else { return 0 }
        return Unmanaged<DatumCollation>.fromOpaque(own).takeUnretainedValue().order(
          UnsafeRawBufferPointer(start: first, count: Int(firstCount)),
          UnsafeRawBufferPointer(start: second, count: Int(secondCount)))
      },
      { own in
        guard let own else { return }
        Unmanaged<DatumCollation>.fromOpaque(own).release()
      })
  }

  private func order(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int32 {
    if first.elementsEqual(second) { return 0 }
    return Int32(datum(first).order(to: datum(second)))
  }

  /// A text that is no value of the type is damaged; reading it throws. Until then it counts as the greatest.
  private func datum(_ bytes: UnsafeRawBufferPointer) -> Datum {
    (try? form.datum(String(decoding: bytes, as: UTF8.self))) ?? .null
  }
}
