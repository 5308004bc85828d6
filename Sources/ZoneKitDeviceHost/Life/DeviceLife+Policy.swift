extension DeviceLife {
  /// What can be set about a device's operating system. The system's own rules are nowhere written down as numbers; the
  /// defaults are what the vendor's guide tells apps to expect (sync semantics, 2.3 and 7).
  package struct Policy: Hashable, Sendable {
    /// How many pushes may wake the app within `budgetWindow`; 0 leaves every silent push waiting until the app is opened.
    package var budget: Int
    /// The time that the budget is for, in milliseconds.
    package var budgetWindow: Int64
    /// How long the app runs in the background after it went there or after a push woke it, in milliseconds.
    package var backgroundTime: Int64
    /// How long the system waits before it wakes the app for a push, in milliseconds.
    package var wakeDelay: Int64

    /// Three pushes an hour, half a minute to run, no delay.
    package init(
      budget: Int = 3, budgetWindow: Int64 = 3_600_000, backgroundTime: Int64 = 30_000, wakeDelay: Int64 = 0
    ) {
      precondition(budget >= 0, "a budget is not negative")
      precondition(budgetWindow > 0, "a budget is for some time")
      precondition(backgroundTime >= 0 && wakeDelay >= 0, "a time to run or to wait is not negative")
      self.budget = budget
      self.budgetWindow = budgetWindow
      self.backgroundTime = backgroundTime
      self.wakeDelay = wakeDelay
    }
  }
}
