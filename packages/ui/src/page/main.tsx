import { render } from 'preact'

render(<main>Studio</main>, document.getElementById('app') as HTMLElement)
