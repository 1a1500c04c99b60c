/** Why somebody may call a method, or may not: the rule that decides, and all that were looked at. */
import { useSignal } from '@preact/signals'
import type { ModelRights, Why } from '../../contracts/rights.js'
import { Button } from '../components/button.js'
import { controlProps, Field } from '../components/field.js'
import { Icon } from '../components/icon.js'
import { JsonText } from '../components/json-text.js'
import { Notice } from '../components/notice.js'
import { useUi } from '../ui.js'
import { methodsOf } from './cells.js'
import { RuleView } from './rule-list.js'
import { UserField, type ChosenUser } from './user-field.js'

export function WhyTab ({ model }: { readonly model: ModelRights }) {
  const { server, router } = useUi()
  const methods = methodsOf(model).map(({ method }) => method)
  const asked = router.route.value.query.get('method')
  const method = useSignal(methods.find(each => each === asked) ?? methods.find(each => each === 'find') ?? methods[0] ?? '')
  const user = useSignal<ChosenUser | undefined>(undefined)
  const id = useSignal('')
  const why = useSignal<Why | undefined>(undefined)
  const error = useSignal('')
  const submit = (event: Event): void => {
    event.preventDefault()
    error.value = ''
    server.get<Why>('rights/why.json', {
      model: model.model, method: method.value, id: id.value, user: user.value?.user, userModel: user.value?.userModel
    }).then(found => { why.value = found }, (failure: Error) => {
      why.value = undefined
      error.value = failure.message
    })
  }
  return (
    <div class="ask">
      <form class="request-form card" onSubmit={submit} aria-label="Why?">
        <Field id="why-method" label="Method">
          <select {...controlProps({ id: 'why-method' })} value={method.value} onChange={({ currentTarget }) => { method.value = currentTarget.value }}>
            {methods.map(each => <option key={each} value={each}>{each}</option>)}
          </select>
        </Field>
        <UserField id="why-user" onChoose={chosen => { user.value = chosen }}/>
        <Field id="why-row" label="Row" hint="Its id, for methods of one row">
          <input
            {...controlProps({ id: 'why-row', hint: true })} type="text" autocomplete="off" spellcheck={false} value={id.value}
            onInput={({ currentTarget }) => { id.value = currentTarget.value }}
          />
        </Field>
        <div class="buttons"><Button kind="primary" type="submit">Explain</Button></div>
      </form>
      <div aria-live="polite" class="why">
        {error.value !== '' && <Notice kind="bad">{error.value}</Notice>}
        {why.value !== undefined && <WhyView why={why.value}/>}
      </div>
    </div>
  )
}

function WhyView ({ why: { allowed, method, reason, rule, considered, rows } }: { readonly why: Why }) {
  return (
    <>
      <p class={`verdict ${allowed ? 'good' : 'bad'}`}>
        <Icon name={allowed ? 'shield-check' : 'shield-x'}/><strong>{allowed ? 'Allowed' : 'Refused'}</strong> <code>{method}</code>
      </p>
      <p>{reason}</p>
      {rule !== undefined && <><h3>The rule that decides</h3><RuleView written={rule}/></>}
      {rows !== undefined && (
        <>
          <h3>What it leaves</h3>
          {rows.where === undefined ? <p>All rows.</p> : <JsonText label="Rows" text={JSON.stringify(rows.where, null, 2)}/>}
          {rows.check !== undefined && <><p>After a write, rows must be:</p><JsonText label="After a write" text={JSON.stringify(rows.check, null, 2)}/></>}
          {rows.preset !== undefined && <><p>Set by the rule:</p><JsonText label="Set by the rule" text={JSON.stringify(rows.preset, null, 2)}/></>}
          <p>Properties to read: {rows.read.includes('*') ? 'all that are not hidden' : rows.read.join(', ') || 'none'}</p>
          {rows.write !== undefined && <p>Properties to write: {rows.write.includes('*') ? 'all' : rows.write.join(', ') || 'none'}</p>}
        </>
      )}
      {considered.length > 0 && (
        <>
          <h3>Rules that were looked at</h3>
          <ol class="rules">
            {considered.map((each, index) => (
              <li key={index}><RuleView written={each} fits={each.fits} effect={each.effect}/></li>
            ))}
          </ol>
        </>
      )}
    </>
  )
}
