import { mount } from 'svelte';
import App from './App.svelte';
import { app } from './core/app.svelte';
import { followSettings } from './core/settings.svelte';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/fraunces/wght.css';
import './ui/tokens.css';
import './ui/base.css';

followSettings();
app.start();
mount(App, { target: document.getElementById('app')! });
