/** Third-party logins whose settings take a protection away (rules LG-53, LG-72, LG-79, LG-82, LG-95, LG-117). */
import { loginsOf } from '@fastback/login'
import type { Found, Severity } from '../finding.js'
import type { AuditRule } from '../rule.js'

const component = '@fastback/login'

type Options = Readonly<Record<string, unknown>>

interface Weakness {
  readonly key: string
  readonly severity: Severity
  readonly what: string
  readonly fix: string
}

const server = (options: Options): {
  url?: unknown, starttls?: unknown,
  tlsOptions?: { rejectUnauthorized?: unknown }
} =>
  (options.server ?? {}) as object

const isPlainDirectory = (options: Options): boolean => {
  const { url, starttls } = server(options)
  return typeof url === 'string' && url.startsWith('ldap:') && starttls !== true && !/^ldap:\/\/(localhost|127\.)/.test(url)
}

/** What an entry may say that opens something. */
const ofEntries: ReadonlyArray<Weakness & { readonly is: (options: Options) => boolean }> = [
  {
    key: 'trustEmail', severity: 'high', is: ({ trustEmail }) => trustEmail === true,
    what: 'Email addresses count as verified although the provider does not check them: anyone who can enter any address there becomes that user here.',
    fix: '"trustEmail": false'
  },
  {
    key: 'pkce', severity: 'medium', is: ({ pkce }) => pkce === false,
    what: 'Codes that somebody else got hold of can be used in another login.', fix: '"pkce": true'
  },
  {
    key: 'allowInsecure', severity: 'high', is: ({ allowInsecure }) => allowInsecure === true,
    what: 'Tokens and profiles are fetched over plain http.', fix: '"allowInsecure": false'
  },
  {
    key: 'idpInitiated', severity: 'medium', is: ({ idpInitiated }) => idpInitiated === true,
    what: 'Assertions count that nobody here asked for: a page elsewhere can log its visitor in as somebody else.',
    fix: '"idpInitiated": false'
  },
  {
    key: 'server.url', severity: 'high', is: isPlainDirectory,
    what: 'Passwords go to the directory unencrypted.', fix: '"url": "ldaps://…", or "starttls": true'
  },
  {
    key: 'server.tlsOptions', severity: 'high', is: options => server(options).tlsOptions?.rejectUnauthorized === false,
    what: 'The certificate of the directory is not checked.', fix: '"rejectUnauthorized": true'
  }
]

export const loginWeakened: AuditRule = {
  code: 'FBK_AUDIT_LOGIN_WEAKENED',
  severity: 'medium',
  title: 'Options of third-party logins that take a protection away',
  why: 'Accounts are then joined without proof, or codes, tokens and passwords pass where others can read or use them.',
  find (subject) {
    const logins = loginsOf(subject.registry)
    if (logins === undefined) return []
    const found: Found[] = []
    const report = (keys: string[], { severity, what, fix }: Weakness): void => {
      found.push({ ...subject.sources.config('component-config', [component, ...keys]), severity, what, fix })
    }
    for (const { name, options, tokenInRedirect, session, json, link } of logins.entries.values()) {
      for (const weakness of ofEntries) {
        if (!weakness.is(options)) continue
        report(['providers', name, weakness.key], { ...weakness, what: `"${name}": ${weakness.what}` })
      }
      if (tokenInRedirect === 'query' && !session && !json && !link) {
        report(['providers', name, 'tokenInRedirect'], {
          key: 'tokenInRedirect', severity: 'medium',
          what: `"${name}": tokens stand in addresses, which end up in logs and histories.`, fix: '"tokenInRedirect": "code"'
        })
      }
    }
    const { settings } = logins
    if (settings.cookies?.httpOnly === false) {
      report(['cookies', 'httpOnly'], {
        key: 'cookies', severity: 'medium', what: 'Any script of a page reads the access token.', fix: '"httpOnly": true'
      })
    }
    if (settings.rateLimit === undefined) {
      report(['rateLimit'], {
        key: 'rateLimit', severity: 'low', what: 'Anybody may begin any number of logins.', fix: '"rateLimit": { "max": 60 }'
      })
    }
    if (settings.origin === undefined) {
      report(['origin'], {
        key: 'origin', severity: 'medium',
        what: 'A client that sets the Host header of a request chooses where providers send codes.',
        fix: '"origin": "https://shop.example"'
      })
    }
    return found
  }
}
