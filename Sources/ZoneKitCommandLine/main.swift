import Glibc
import ZoneKitStorage

WALIndexGuard.install()
TimedFiles.install()
exit(CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
