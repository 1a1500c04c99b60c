// In each test's process, before tap. tap follows every promise and every callback by async_hooks, to know which test
// an error belongs to that nobody caught: a tenth of what all tests cost the processor. Here files are tested one after
// the other, and such an error is a failure of the file that is tested now (tap.mjs).
import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

const { createHook } = hooks
const idle = { enable: () => idle, disable: () => idle }

hooks.createHook = callbacks => new Error('who asks').stack.includes('async-hook-domain') ? idle : createHook(callbacks)
syncBuiltinESMExports()
