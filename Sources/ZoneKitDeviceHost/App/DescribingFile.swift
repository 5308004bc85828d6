/// A file of a user that describes the data of an app. A device's store keeps its text, so that the device needs the file only
/// once.
package struct DescribingFile: Hashable, Sendable {
  /// The path of the file, as its user named it.
  package var path: String
  /// The text of the file.
  package var text: [UInt8]
  /// The name that the file gives the app.
  package var title: String

  /// A file with that text, which gives the app that name.
  package init(path: String, text: [UInt8], title: String) {
    self.path = path
    self.text = text
    self.title = title
  }
}

extension DeviceApp {
  /// The name of the app, with that of the file that describes its data, or with the container that its user chose.
  package var fullName: String {
    if let describingFile { return "\(name) of \(describingFile.title)" }
    return chosenContainer.map { "\(name) in \($0)" } ?? name
  }
}
