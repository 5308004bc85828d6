import Glibc
import ZoneKitStorage

WALIndexGuard.install()
exit(CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
