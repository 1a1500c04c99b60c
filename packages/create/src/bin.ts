import { main } from '@fastback/cli'

main(['new', ...process.argv.slice(2)]).then(code => { process.exitCode = code }, error => { throw error })
