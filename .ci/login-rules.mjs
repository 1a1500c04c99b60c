// Every rule of packages/docs/rules/login.md has a test, or a reason why it has none (`cited-rules.mjs`).
import { checkCited } from './cited-rules.mjs'

checkCited('login.md', ['LG'], ['packages/login/test', 'packages/cli/test', 'packages/boot/test', 'packages/loopback/test'])
