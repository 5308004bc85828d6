import ZoneKitStorage

WALIndexGuard.install()
TimedFiles.install()
CommandLineProgram.end(Array(CommandLine.arguments.dropFirst()))
