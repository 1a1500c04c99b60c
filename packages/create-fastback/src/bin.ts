import { main } from 'fastback'

main(['new', ...process.argv.slice(2)]).then(code => { process.exitCode = code }, error => { throw error })
