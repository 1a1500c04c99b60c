// A script that exports nothing: browsers run it as it is.
export {}
