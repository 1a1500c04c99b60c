/** The frame of the page: the parts and the list of the current one in a sidebar, the view, what lies over it. */
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { IconButton } from '../components/button.js'
import { Dialog } from '../components/dialog.js'
import { Skeleton } from '../components/skeleton.js'
import { ToastList } from '../components/toasts.js'
import { Notice } from '../components/notice.js'
import type { ViewName } from '../../contracts/page-config.js'
import { LoginForm } from '../session/login-form.js'
import { useUi } from '../ui.js'
import { views, type View } from '../views.js'
import { Palette } from './palette.js'
import { Shortcuts } from './shortcuts.js'
import { Sidebar } from './sidebar.js'
import type { Theme } from './theme.js'
import { useKeys } from './keys.js'

export function Shell ({ theme }: { readonly theme: Theme }) {
  const { config, description, router, commands, session } = useUi()
  const name = useComputed(() =>
    config.views.find(view => view === router.route.value.view) ?? config.views[0] as ViewName)
  const isMenuOpen = useSignal(false)
  const isHelpOpen = useSignal(false)
  const main = useRef<HTMLElement>(null)
  const view = useView(name.value)
  useKeys({
    'mod+k': () => { commands.open() },
    '?': () => { isHelpOpen.value = true },
    '/': () => {
      const field = document.querySelector<HTMLInputElement>('[data-search]')
      field?.focus()
      if (field === null || document.activeElement === field) return
      // On a phone the list is there from the next drawing on.
      isMenuOpen.value = true
      window.requestAnimationFrame(() => { field.focus() })
    }
  })
  useEffect(() => router.route.subscribe(() => { isMenuOpen.value = false }), [])
  return (
    <div class={`shell ${isMenuOpen.value ? 'menu-open' : ''}`}>
      <a class="skip" href="#view" onClick={event => { event.preventDefault(); main.current?.focus() }}>To the content</a>
      <header class="phone-bar">
        <IconButton
          label={isMenuOpen.value ? 'Close the menu' : 'Open the menu'} icon={isMenuOpen.value ? 'x' : 'menu'}
          expanded={isMenuOpen.value} controls="sidebar" onClick={() => { isMenuOpen.value = !isMenuOpen.value }}
        />
        <h1>{views[name.value].title}</h1>
        <IconButton label="Find anything" icon="search" onClick={() => { commands.open() }}/>
      </header>
      <Sidebar theme={theme} current={name.value} List={view.View?.Sidebar} onHelp={() => { isHelpOpen.value = true }}/>
      <main id="view" class={`view view-${name.value}`} tabIndex={-1} ref={main}>
        <h1 class="sr-only">{config.title ?? description.document.info.title}</h1>
        {view.failure !== undefined
          ? <Notice kind="bad">This part could not be loaded: {view.failure}. Load the page again.</Notice>
          : view.View === undefined ? <Skeleton/> : <view.View.Main/>}
      </main>
      <ToastList/>
      {commands.isOpen.value && <Palette/>}
      {session.isAsking.value && (
        <Dialog title="Log in" onClose={() => { session.isAsking.value = false }}>
          <LoginForm inWindow onDone={() => { session.isAsking.value = false }}/>
        </Dialog>
      )}
      {isHelpOpen.value && <Shortcuts onClose={() => { isHelpOpen.value = false }}/>}
    </div>
  )
}

interface Loaded {
  readonly name: ViewName
  readonly View?: View
  readonly failure?: string
}

/** The part of this name, once it is loaded. */
function useView (name: ViewName): Omit<Loaded, 'name'> {
  const [loaded, setLoaded] = useState<Loaded>({ name })
  useEffect(() => {
    let isCurrent = true
    views[name].load().then(
      View => { if (isCurrent) setLoaded({ name, View }) },
      (error: unknown) => { if (isCurrent) setLoaded({ name, failure: (error as Error).message }) })
    return () => { isCurrent = false }
  }, [name])
  return loaded.name === name ? loaded : {}
}
