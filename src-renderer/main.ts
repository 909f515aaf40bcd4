import { mount } from 'svelte';
import './ui/styles/base.css';
import App from './App.svelte';

const target = document.getElementById('app');
if (target === null) throw new Error('The document has no place for the app');
mount(App, { target });
