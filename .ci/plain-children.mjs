// Loaded into every test process: what tap puts into NODE_OPTIONS to learn which files a test loads costs each process
// that a test starts a second of the processor. Only coverage needs it.
if (process.env._TAPJS_PROCESSINFO_COVERAGE_ !== '1') delete process.env.NODE_OPTIONS
