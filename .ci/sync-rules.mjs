// Every rule of packages/docs/rules/sync.md has a test, or a reason why it has none (`cited-rules.mjs`).
import { checkCited } from './cited-rules.mjs'

checkCited('sync.md', ['SYD', 'SY'], ['packages/sync/test', 'packages/sync/src', 'packages/client/test'])
