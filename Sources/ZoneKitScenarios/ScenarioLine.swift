/// A step with its line number.
package struct ScenarioLine: Hashable, Sendable {
  /// The line number in the file, from 1.
  package var number: Int
  /// The step.
  package var step: ScenarioStep

  /// A step on that line.
  package init(_ number: Int, _ step: ScenarioStep) {
    self.number = number
    self.step = step
  }

  func lines(indent: String) -> [String] {
    guard case .repeated(_, _, let steps) = step else { return [indent + step.text] }
    return [indent + step.text] + steps.flatMap { $0.lines(indent: indent + "  ") } + [indent + "end"]
  }

  func numbered(after line: inout Int) -> ScenarioLine {
    line += 1
    guard case .repeated(let count, let every, let steps) = step else { return ScenarioLine(line, step) }
    let number = line
    let inner = steps.map { $0.numbered(after: &line) }
    line += 1
    return ScenarioLine(number, .repeated(count, every: every, inner))
  }
}
