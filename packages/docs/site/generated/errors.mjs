// The page of all errors: those at the start from the declarations, those of requests from where they are made.
import { packages } from '../../../../.ci/docs/files.mjs'
import { knownErrors } from '../../../../.ci/docs/known-errors.mjs'

const cell = text => text.replaceAll('|', '\\|')
const packageLink = name => `[\`@fastback/${name}\`](/packages/${name}.md)`
/** Where it comes from, what it means, what it says, why and what to do: what is known of it. */
function entryOf ({ code, kind, statuses, packages: by, meaning, says, cause, cure }) {
  return [
    `### ${code}`,
    kind === 'request' ? `Status ${statuses.join(' or ')}. From ${by.map(packageLink).join(', ')}.` : '',
    meaning === undefined ? '' : cell(meaning),
    ...says.map(text => `It says: “${cell(text)}”`),
    cause === undefined ? '' : `Usual cause: ${cause}`,
    cure === undefined ? '' : `What to do: ${cure}`
  ].filter(text => text !== '').join('\n\n')
}

const start = (name, errors) => {
  const entries = errors.filter(({ kind, packages: by }) => kind !== 'request' && by.includes(name)).map(entryOf)
  return entries.length === 0 ? '' : `## @fastback/${name}\n\nMore: ${packageLink(name)}.\n\n${entries.join('\n\n')}`
}

/** @returns pages by name */
export function errorPages () {
  const errors = knownErrors()
  return new Map([
    ['errors/index.md', `# Errors

After this page you know where an error comes from, and what to do about it. Every error of Fastback has a code that does
not change. Messages say what is wrong, where, and what to do.

| You see | It is | Look at |
|---|---|---|
| \`FBK_…\` in the log or on the terminal | something in the code, the folder or the settings: the application does not start, or a call cannot be done | [errors at the start](/errors/start.md) |
| \`error.code\` in an answer, with a status of 400 to 499 | something in the request | [errors of requests](/errors/requests.md) |
| a status of 500 without a code | a fault of the server. The answer tells nothing more; the log has it, under the \`X-Request-Id\` of the answer | the log |
| \`FBK_AUDIT_…\` from \`fastback audit\` | something that the application leaves open | [audit](/packages/boot.md#audit) |
| \`VALIDATION_FAILED\`, status 422 | data that the model refuses: \`error.details\` has a line for each fault | [validation](/guides/validation.md) |
| \`AUTHORIZATION_REQUIRED\`, status 401 | no rule lets this caller in | [access rules](/guides/access-rules.md) |

\`fastback explain CODE\` says the same on the terminal, without a network. \`fastback doctor\` looks for the usual causes in
an application and says what mends them.
`],
    ['errors/start.md', `# Errors at the start

Every code that begins with \`FBK_\`: what it means, what its message says, and where it helps the usual cause and what to do. “…” stands for what the message fills in: the file, the model, the name that is near.

${packages().map(name => start(name, errors)).filter(text => text !== '').join('\n')}`],
    ['errors/requests.md', `# Errors of requests

The codes that answers have in \`error.code\`, read from where the sources make them, with status and message. “…” stands for what the message fills in.

## All codes

${errors.filter(({ kind }) => kind === 'request').map(entryOf).join('\n\n')}`]
  ])
}
