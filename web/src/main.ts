import { mount } from 'svelte';
import App from './App.svelte';
import { followSettings } from './core/settings.svelte';
import './ui/fonts.css';
import './ui/tokens.css';
import './ui/base.css';

followSettings();
mount(App, { target: document.getElementById('app')! });
