'use strict'
throw new Error('a mixin that no model names is not loaded')
