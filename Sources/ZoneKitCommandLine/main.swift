import Glibc

exit(CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
