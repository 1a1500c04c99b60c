// In each test's process, before what it tests: keys and hashes that cost little.
import { hashQuickly } from './quick-hashes.mjs'
import { takeRsaKeys } from './rsa-keys.mjs'

takeRsaKeys()
hashQuickly()
