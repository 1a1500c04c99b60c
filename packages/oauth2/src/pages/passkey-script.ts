/**
 * The one script of the login pages (openid.md, OI-254): asks the browser for a passkey and sends its response with the
 * form. It loads nothing and sends nothing by itself; without it the pages are as they are.
 */
export const passkeyScript = `'use strict'
const form = document.getElementById('passkey')
if (form !== null && window.PublicKeyCredential && PublicKeyCredential.parseRequestOptionsFromJSON) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options))
  let waiting
  const ask = async mediation => {
    if (waiting) waiting.abort()
    waiting = new AbortController()
    try {
      const credential = await navigator.credentials.get({ publicKey, signal: waiting.signal, mediation })
      form.elements.passkey.value = JSON.stringify(credential)
      form.submit()
    } catch (error) {
      if (mediation !== 'conditional' && error.name !== 'AbortError') document.getElementById('passkey-problem').hidden = false
    }
  }
  form.hidden = false
  form.addEventListener('submit', event => {
    event.preventDefault()
    ask('optional')
  })
  if (form.dataset.conditional !== undefined && PublicKeyCredential.isConditionalMediationAvailable) {
    PublicKeyCredential.isConditionalMediationAvailable().then(can => can && ask('conditional'))
  }
}
`
