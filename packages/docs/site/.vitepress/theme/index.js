// The default theme without its web fonts.
import Theme from 'vitepress/theme-without-fonts'
import './style.css'

export default Theme
