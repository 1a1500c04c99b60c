/** OAuth 2.0 and OpenID Connect from the page: the authorization code flow with PKCE, step by step. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { Button } from '../../components/button.js'
import { CopyButton } from '../../components/copy-button.js'
import { Empty } from '../../components/empty.js'
import { controlProps, Field } from '../../components/field.js'
import { JsonText } from '../../components/json-text.js'
import { Notice } from '../../components/notice.js'
import { Skeleton } from '../../components/skeleton.js'
import { canBeToken } from '../../api/token.js'
import { useUi } from '../../ui.js'
import {
  claimsIn, discover, exchange, leave, prepare, redirectUriOf, refresh,
  type Begun, type CameBack, type Exchange, type Metadata
} from './flow.js'

export function OAuthPage () {
  const { slot, toasts } = useUi()
  const cameBack = slot<{ flow: CameBack | undefined }>('oauth', () => ({ flow: undefined })).flow
  const metadata = useSignal<Metadata | 'none' | undefined>(cameBack?.begun.metadata)
  const begun = useSignal<Begun | undefined>(cameBack?.begun)
  const exchanges = useSignal<readonly Exchange[]>([])
  useEffect(() => {
    if (metadata.value !== undefined) return
    discover().then(found => { metadata.value = found ?? 'none' }, () => { metadata.value = 'none' })
  }, [])
  const add = (work: Promise<Exchange>): void => {
    work.then(done => { exchanges.value = [...exchanges.peek(), done] }, (error: unknown) => { toasts.fail(error) })
  }
  if (metadata.value === undefined) return <Skeleton/>
  if (metadata.value === 'none') {
    return (
      <Empty icon="key-round" title="This server is no OAuth 2.0 provider">
        <p>An application becomes one by the component <code>@fastback/oauth2</code>.</p>
      </Empty>
    )
  }
  const last = exchanges.value.at(-1)
  return (
    <>
      <header class="view-head"><h2>OAuth 2.0</h2><span class="chip">code with PKCE</span></header>
      <ol class="view-body steps">
        <Step title="What the provider says of itself">
          <details><summary>{metadata.value.issuer}</summary><JsonText label="Metadata" text={JSON.stringify(metadata.value, null, 2)}/></details>
        </Step>
        <Step title="A client asks for access">
          <ClientForm metadata={metadata.value} begun={begun.value} onBegin={made => { begun.value = made }}/>
        </Step>
        {begun.value !== undefined && (
          <Step title="The browser goes to the provider">
            <p>
              The verifier stays in this tab; its digest goes along. The provider sends the browser back to this page
              with a code.
            </p>
            <JsonText label="Authorization request" isJson={false} text={queryLines(begun.value.authorizationUrl)}/>
            {cameBack === undefined && (
              <Button kind="primary" icon="external-link" onClick={() => { leave(begun.value as Begun) }}>Go to the provider</Button>
            )}
          </Step>
        )}
        {cameBack !== undefined && (
          <Step title="The provider sent the browser back">
            {cameBack.error !== undefined
              ? <Notice kind="bad">{cameBack.error}</Notice>
              : (
                <>
                  <p>With the code <code>{cameBack.code}</code>, and the state that this page had sent.</p>
                  {exchanges.value.length === 0 && cameBack.code !== undefined && (
                    <Button kind="primary" icon="arrow-right" onClick={() => { add(exchange(cameBack.begun, cameBack.code as string)) }}>
                      Exchange the code for tokens
                    </Button>
                  )}
                </>
                )}
          </Step>
        )}
        {exchanges.value.map((each, index) => <Tokens key={index} exchange={each}/>)}
        {last !== undefined && cameBack !== undefined && (
          <Refresh last={last} onRefresh={token => { add(refresh(cameBack.begun, token)) }}/>
        )}
      </ol>
    </>
  )
}

const Step = ({ title, children }: { readonly title: string, readonly children: ComponentChildren }) =>
  <li class="card"><h3>{title}</h3>{children}</li>

function ClientForm ({ metadata, begun, onBegin }: {
  readonly metadata: Metadata, readonly begun: Begun | undefined, readonly onBegin: (begun: Begun) => void
}) {
  const { toasts } = useUi()
  const [clientId, scope] = [useSignal(begun?.clientId ?? ''), useSignal(begun?.scope ?? metadata.scopes_supported?.slice(0, 3).join(' ') ?? '')]
  const submit = (event: Event): void => {
    event.preventDefault()
    if (!window.isSecureContext) {
      toasts.fail(new Error('Browsers compute digests on secure origins only: use https, or this machine\'s own address'))
      return
    }
    prepare(metadata, clientId.value.trim(), scope.value.trim())
      .then(onBegin, (error: unknown) => { toasts.fail(error) })
  }
  return (
    <form class="request-form" onSubmit={submit}>
      <Field id="oauth-client" label="Client" required hint="The id of a public client, which has the address below among its own">
        <input
          {...controlProps({ id: 'oauth-client', required: true, hint: true })} required autocomplete="off" spellcheck={false}
          value={clientId.value} onInput={({ currentTarget }) => { clientId.value = currentTarget.value }}
        />
      </Field>
      <p>Address: <code>{redirectUriOf()}</code> <CopyButton text={redirectUriOf}/></p>
      <Field id="oauth-scope" label="Scope">
        <input
          {...controlProps({ id: 'oauth-scope' })} autocomplete="off" spellcheck={false} value={scope.value}
          onInput={({ currentTarget }) => { scope.value = currentTarget.value }}
        />
      </Field>
      <div class="buttons"><Button type="submit" kind={begun === undefined ? 'primary' : 'plain'}>Make the request</Button></div>
    </form>
  )
}

const queryLines = (url: string): string => {
  const { origin, pathname, searchParams } = new URL(url)
  return [`GET ${origin}${pathname}`, ...[...searchParams].map(([name, value]) => `  ${name}=${value}`)].join('\n')
}

function Tokens ({ exchange: { sent, status, value } }: { readonly exchange: Exchange }) {
  const { session } = useUi()
  const { access_token: access, id_token: id } = (value ?? {}) as {
    readonly access_token?: unknown
    readonly id_token?: unknown
  }
  const claims = claimsIn(id)
  const isRefresh = sent.grant_type === 'refresh_token'
  return (
    <Step title={isRefresh ? 'The refresh token gave others' : 'The code is exchanged'}>
      <JsonText label="Token request" text={JSON.stringify(sent, null, 2)}/>
      <p><span class={`chip ${status < 400 ? 'good' : 'bad'}`}>{status}</span></p>
      <JsonText label="Token response" text={JSON.stringify(value, null, 2)}/>
      {claims !== undefined && <><h4>Who logged in, by the ID token</h4><JsonText label="Claims" text={JSON.stringify(claims, null, 2)}/></>}
      {typeof access === 'string' && canBeToken(access) && (
        <div class="buttons"><Button kind="primary" icon="key-round" onClick={() => { session.useToken(access) }}>Use this token</Button></div>
      )}
    </Step>
  )
}

function Refresh ({ last, onRefresh }: { readonly last: Exchange, readonly onRefresh: (token: string) => void }) {
  const { refresh_token: token } = (last.value ?? {}) as { readonly refresh_token?: unknown }
  if (typeof token !== 'string') return null
  return (
    <Step title="When the access token has ended">
      <Button icon="refresh-cw" onClick={() => { onRefresh(token) }}>Use the refresh token</Button>
    </Step>
  )
}
