// `npm start`: installs, builds and serves the template application notes, and says what it does while it does it. The
// standard output ends with what a newcomer needs: the API, the pages, an account, the next command.
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const data = path.join(root, '.data')
const folder = 'packages/cli/templates/notes'
const say = text => { console.error(text) }

function step (name, args) {
  const begun = Date.now()
  const { status } = spawnSync('npm', ['run', '--silent', ...args], {
    cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32'
  })
  if (status !== 0) {
    say(`${name} failed: what it said stands above. "npm run ${args[0]}" tries it again.`)
    process.exit(status ?? 1)
  }
  say(`  done in ${((Date.now() - begun) / 1000).toFixed(1)} s`)
}

say('1/3 Installing the dependencies (the first time: all of the workspace)')
step('Installing', ['setup'])
// Types are checked by `npm test`: anyone who wants to see it run need not wait for that.
say('2/3 Building the packages (the first time: half a minute)')
step('Building', ['build', '--', '--noCheck'])
say(`3/3 Serving ${folder}, its data in .data`)

process.chdir(root)
// Whoever has the checkout develops: the studio shows all parts without a login.
process.env.NODE_ENV ??= 'development'
const { main } = await import('../packages/cli/bundle/index.js')
let served
const code = await main(['serve', folder, '--data', '.data', '--json', ...process.argv.slice(2)], {
  cwd: root,
  env: process.env,
  interactive: false,
  print: line => {
    if (served === undefined) served = JSON.parse(line)
    else console.log(line)
  },
  complain: say
})
if (code !== 0) process.exit(code)
const { email, password } = await guest(served.api)
const lines = [
  ['API', served.api],
  ['Studio', served.studio ?? 'off in production'],
  ['Explorer', served.explorer ?? 'off in production'],
  ['Admin', served.admin ?? 'off in production'],
  ['Log in', password === undefined ? `${email}: its password was changed` : `${email}, password ${password}`],
  ['Next', 'npx fastback new my-app, or npx fastback serve DIR for an application that is there']
]
for (const [name, value] of lines) console.log(name.padEnd(10) + value)

/**
 * An account to begin with. Its password is made up here and kept beside the data: one that stands in a repository
 * would open every server that somebody leaves running.
 */
async function guest (api) {
  const file = path.join(data, 'guest.json')
  const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  const account = kept ?? { email: 'guest@example.com', password: randomBytes(9).toString('base64url') }
  const answers = async at => (await fetch(`${api}/Users${at}`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(account)
  })).ok
  const isMade = await answers('')
  if (isMade && kept === undefined) {
    mkdirSync(data, { recursive: true })
    writeFileSync(file, JSON.stringify(account), { mode: 0o600 })
  }
  return isMade || await answers('/login') ? account : { email: account.email }
}
