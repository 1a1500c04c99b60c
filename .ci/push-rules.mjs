// Every rule of packages/docs/rules/push.md has a test, or a reason why it has none (`cited-rules.mjs`).
import { checkCited } from './cited-rules.mjs'

checkCited('push.md', ['PU'], [
  'packages/push/test', 'packages/cli/test', 'test-fixtures/test', 'test-fixtures/test/security'
])
