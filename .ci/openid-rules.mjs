// Every rule of packages/docs/rules/openid.md has a test, or a reason why it has none (`cited-rules.mjs`).
import { checkCited } from './cited-rules.mjs'

checkCited('openid.md', ['OI'], [
  'packages/oauth2/test/openid', 'packages/oauth2/test/extensions', 'packages/oauth2/test', 'packages/oauth2/src/openid', 'packages/oauth2/src/openid/logout',
  'packages/auth/test', 'packages/auth/src/factors', 'packages/auth/src/passwords', 'packages/cli/test', 'packages/login/test',
  'test-fixtures/test/security'
])
