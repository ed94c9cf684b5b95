// What loading is compared with: a file that is a module and has nothing.
