extension DeviceLife {
  /// The settings of a device's operating system. The vendor does not publish the system's own rules as numbers; the
  /// defaults are those that its guide tells apps to expect (sync semantics, 2.3 and 7).
  package struct Policy: Hashable, Sendable {
    /// The number of pushes that may wake the app within `budgetWindow`. With 0 every silent push waits until the app
    /// is opened.
    package var budget: Int
    /// The length of the budget's window, in milliseconds.
    package var budgetWindow: Int64
    /// How long the app runs in the background after it left the foreground or after a push woke it, in milliseconds.
    package var backgroundTime: Int64

    /// The settings; by default three pushes an hour and 30 seconds in the background.
    package init(budget: Int = 3, budgetWindow: Int64 = 3_600_000, backgroundTime: Int64 = 30_000) {
      precondition(budget >= 0, "a budget is not negative")
      precondition(budgetWindow > 0, "a budget is for some time")
      precondition(backgroundTime >= 0, "a time to run is not negative")
      self.budget = budget
      self.budgetWindow = budgetWindow
      self.backgroundTime = backgroundTime
    }
  }
}
