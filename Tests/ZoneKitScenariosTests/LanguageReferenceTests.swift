import Testing
import ZoneKitRecords

@testable import ZoneKitScenarios

/// The reference of the language says what its parser does.
struct LanguageReferenceTests {
  private struct Sample: Sendable, CustomTestStringConvertible {
    let section: String
    let sentence: Sentence

    var testDescription: String { sentence.example }

    /// A scenario with the example in it.
    var scenario: String {
      let example = sentence.example
      let first = #"scenario "s""#
      let devices = "devices A, B signed in as nanny"
      let lines =
        switch sentence.pattern.text {
        case let pattern where pattern.hasPrefix("scenario "): [example, devices]
        case let pattern where pattern.hasPrefix("repeat NUMBER"): [first, devices, example, "wait 1s", "end"]
        case "end": [first, devices, "repeat 2 times", "wait 1s", example]
        default: section == "Header" || section == "Options" ? [first, example, devices] : [first, devices, example]
        }
      return lines.joined(separator: "\n") + "\n"
    }
  }

  private static let samples = Language.sections.flatMap { section in
    section.sentences.map { Sample(section: section.title, sentence: $0) }
  }

  @Test(arguments: samples) private func `an example is read, and by its own sentence`(sample: Sample) throws {
    _ = try Scenario(parsing: sample.scenario)
    let words = try ScenarioWord.words(of: sample.sentence.example, line: 1)
    var reader = SentenceReader(words: words, devices: ["A", "B"])
    let first = Language.sentences.first { reader.values(of: $0.pattern) != nil }
    #expect(first?.pattern.text == sample.sentence.pattern.text)
  }

  @Test(arguments: samples) private func `the step of an example is written so that it reads as the step`(
    sample: Sample
  ) throws {
    guard let step = try Scenario(parsing: sample.scenario).steps.first?.step, sample.sentence.example != "end" else {
      return
    }
    let text = sample.scenario.replacing(sample.sentence.example, with: step.text)
    #expect(try Scenario(parsing: text).steps.first?.step == step)
  }

  @Test(arguments: samples) private func `a sentence has a meaning of one line that ends with a full stop`(
    sample: Sample
  ) {
    let summary = sample.sentence.summary
    #expect(summary.hasSuffix(".") && !summary.contains("\n") && summary.count <= 250, "\(summary)")
  }

  @Test func `no two sentences have the same pattern`() {
    let patterns = LanguageReference().sections.flatMap(\.entries).map(\.pattern)
    #expect(Set(patterns).count == patterns.count)
  }

  @Test func `every slot of a sentence is explained`() {
    let reference = LanguageReference()
    let known = Set(reference.slots.map(\.name))
    let used = Set(reference.sections.flatMap(\.entries).flatMap(\.slots))
    #expect(used == known)
  }

  @Test func `a pattern is written with its slots in capitals`() {
    let reports = LanguageReference().sections.flatMap(\.entries).first {
      $0.pattern.hasPrefix("expect DEVICE reports")
    }
    #expect(reports?.pattern == "expect DEVICE reports FACT [QUANTITY times] [within DURATION]")
    #expect(reports?.slots == ["DEVICE", "FACT", "QUANTITY", "DURATION"])
  }

  @Test func `the values of a slot are those that the parser takes`() {
    let slots = LanguageReference().slots
    #expect(slots.first { $0.name == "FACT" }?.values == Fact.Kind.all(of: .device).map(\.rawValue))
    #expect(slots.first { $0.name == "OPERATION" }?.values == CloudOperation.allCases.map(\.rawValue))
  }
}
